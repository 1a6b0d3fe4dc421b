FILE_CONTENT_EXTENSION = " and so on, for many more lines"
FILES_TAIL_USED = ["green.txt"]
POPULATE_FILE_EXTENSION = ["swatch-1.png", "swatch-2.png", ".swatches"]
