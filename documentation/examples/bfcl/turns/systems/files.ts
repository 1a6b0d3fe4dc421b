/** GorillaFileSystem: folders and files. Moved folders keep the parents that they had, and copies share their files, as there. */
import {
  among,
  compare,
  iterate,
  length,
  noAttribute,
  splitLines,
  splitWords,
  str,
  textOrder,
} from "../python/operations.ts";
import { twoDecimals } from "../python/number.ts";
import { Dict, fail, type Py, PyObject, repr, text, truth } from "../python/value.ts";
import { error, type Method, record, type Setting, System } from "./system.ts";

class File extends PyObject {
  readonly typeName = "File";
  readonly name: Py;
  content: Py;

  constructor(name: Py, content: Py = "") {
    super();
    this.name = name;
    this.content = content;
  }

  repr(): string {
    return `<<File: ${text(this.name)}, Content: ${text(this.content)}>>`;
  }

  override equals(other: Py): boolean {
    return other instanceof File && other.name === this.name && same(this.content, other.content);
  }
}

const same = (one: Py, other: Py) => one === other || repr(one) === repr(other);

/** Pairs that one comparison has met: folders share contents with their copies, so that there may be more paths than folders. */
let compared: Map<Folder, Set<Folder>> | undefined;

class Folder extends PyObject {
  readonly typeName = "Directory";
  readonly name: Py;
  readonly parent: Folder | undefined;
  contents = new Dict();

  constructor(name: Py, parent: Folder | undefined) {
    super();
    this.name = name;
    this.parent = parent;
  }

  repr(): string {
    return `<Directory: ${text(this.name)}, Parent: ${this.parent === undefined ? "None" : text(this.parent.name)}, Contents: ${repr(this.contents)}>`;
  }

  override equals(other: Py): boolean {
    if (!(other instanceof Folder)) return false;
    const isOutermost = compared === undefined;
    compared ??= new Map();
    const before = compared.get(this) ?? new Set<Folder>();
    compared.set(this, before);
    try {
      if (before.has(other)) return true;
      before.add(other);
      return other.name === this.name && sameContents(this.contents, other.contents);
    } finally {
      if (isOutermost) compared = undefined;
    }
  }

  addFile(name: Py, content: Py = ""): void {
    if (this.contents.has(name))
      fail("ValueError", `File '${text(name)}' already exists in directory '${text(this.name)}'.`);
    this.contents.set(name, new File(name, content));
  }

  addFolder(name: Py): Folder {
    if (this.contents.has(name))
      fail("ValueError", `Directory '${text(name)}' already exists in directory '${text(this.name)}'.`);
    const folder = new Folder(name, this);
    this.contents.set(name, folder);
    return folder;
  }
}

const sameContents = (one: Dict, other: Dict) =>
  one.size === other.size &&
  one.entries().every(([name, item]) => item instanceof PyObject && item.equals(other.get(name) ?? null));

/** Folders in one another that are walked, and items in all: a folder that was copied into itself has no end. */
const deepest = 500;
const mostItems = 200_000;

/** Returns a count of items that fails for what has no end. */
function openWalk(): (depth: number) => void {
  let left = mostItems;
  return (depth) => {
    left -= 1;
    if (depth > deepest || left < 0) fail("RecursionError", "maximum recursion depth exceeded");
  };
}

/** Whether a name has signs that names must not have. */
const isUnfit = (name: Py) => [...'|/\\?%*:"><'].some((sign) => among(sign, name));

export class FileSystem extends System {
  readonly typeName = "GorillaFileSystem";
  #root: Folder;
  #current: Folder;

  constructor(setting: Setting) {
    super(setting);
    const { scenario, isLong } = setting;
    this.set("long_context", isLong);
    this.#root = new Folder("/", undefined);
    const root = scenario.get("root");
    if (root instanceof Dict && root.size > 0) {
      const [name, described] = root.entries()[0]!;
      this.#root = new Folder(name, undefined);
      if (described instanceof Dict) this.#fill(this.#root, described.get("contents"), isLong);
    }
    this.#current = this.#root;
    this.set("root", this.#root);
  }

  #fill(folder: Folder, contents: Py | undefined, isLong: boolean): void {
    let isInnermost = true;
    for (const [name, described] of contents instanceof Dict ? contents.entries() : []) {
      if (!(described instanceof Dict)) continue;
      if (described.get("type") === "directory") {
        isInnermost = false;
        const inner = new Folder(name, folder);
        this.#fill(inner, described.get("contents"), isLong);
        folder.contents.set(name, inner);
      } else {
        const content = described.get("content") ?? "";
        const isLonger = isLong && !among(name, this.setting.extensions.get("FILES_TAIL_USED") ?? []);
        folder.contents.set(
          name,
          new File(
            name,
            isLonger ? text(content) + text(this.setting.extensions.get("FILE_CONTENT_EXTENSION") ?? "") : content,
          ),
        );
      }
    }
    if (!isInnermost || !isLong) return;
    for (const name of iterate(this.setting.extensions.get("POPULATE_FILE_EXTENSION") ?? [])) folder.addFile(name);
  }

  override stateText(): Readonly<Record<string, string>> {
    return { ...super.stateText(), path: text(this.#path()) };
  }

  #path(): Py {
    const names: string[] = [];
    for (let at: Folder | undefined = this.#current; at !== undefined; at = at.parent) names.push(text(at.name));
    return `/${names.toReversed().join("/")}`;
  }

  /** Returns the folder of a path, or why there is none. */
  #folderOf(path: Py): Folder | Dict {
    if (path === null || path === ".") return this.#current;
    if (path === "/") return this.#root;
    const names = str(path, "strip")
      .replace(/^\/+|\/+$/g, "")
      .split("/");
    let at = text(path).startsWith("/") ? this.#root : this.#current;
    for (const name of names) {
      const next = name === "." ? at : at.contents.get(name);
      if (!(next instanceof Folder)) return error(`cd: '${text(path)}': No such file or directory`);
      at = next;
    }
    return at;
  }

  #fileIn(name: Py): File | undefined {
    const item = this.#current.contents.get(name);
    return item instanceof File ? item : undefined;
  }

  #lines(file: File): string[] {
    return splitLines(str(file.content, "splitlines"));
  }

  #change(given: Py): Py {
    const path = str(given, "rstrip").replace(/\/+$/, "") || "/";
    if (![".", "..", "/"].includes(path) && path.includes("/"))
      return error(`cd: ${path}: Unsupported path. Only one folder level at a time is supported.`);
    if (path === "..") {
      if (this.#current.parent !== undefined) this.#current = this.#current.parent;
      else if (this.#root.equals(this.#current)) return error("Current directory is already the root. Cannot go back.");
      else return error("cd: ..: No such directory");
      return new Dict();
    }
    const folder = this.#folderOf(path);
    if (folder instanceof Dict) return folder;
    this.#current = folder;
    return record({ current_working_directory: folder.name });
  }

  #make(name: Py, what: "mkdir" | "touch"): Py {
    const refused = `${what}: cannot ${what === "mkdir" ? "create directory" : "touch"} '${text(name)}': `;
    if (isUnfit(name)) return error(`${refused}Invalid character`);
    if (this.#current.contents.has(name)) return error(`${refused}File exists`);
    if (what === "mkdir") this.#current.addFolder(name);
    else this.#current.addFile(name);
    return null;
  }

  #echo(content: Py, name: Py): Py {
    if (name === null) return record({ terminal_output: content });
    if (isUnfit(name)) return error(`echo: cannot write to '${text(name)}': Invalid character`);
    if (!truth(name)) return record({ terminal_output: content });
    if (!this.#current.contents.has(name)) return error(`echo: cannot write to '${text(name)}': No such file`);
    const item = this.#current.contents.get(name)!;
    if (!(item instanceof File)) return noAttribute(item, "_write");
    item.content = content;
    return null;
  }

  #cat(name: Py): Py {
    if (isUnfit(name)) return error(`cat: '${text(name)}': Invalid character`);
    if (!this.#current.contents.has(name)) return error(`cat: '${text(name)}': No such file or directory`);
    const file = this.#fileIn(name);
    return file === undefined ? error(`cat: '${text(name)}': Is a directory`) : record({ file_content: file.content });
  }

  #find(path: Py, name: Py): Py {
    const folder = this.#folderOf(path);
    if (folder instanceof Dict) return error(text(folder.at("error")).replace("cd:", "find:"));
    const matches: Py[] = [];
    const walk = openWalk();
    const search = (at: Folder, base: string, depth: number) => {
      for (const [each, item] of at.contents.entries()) {
        walk(depth);
        const place = `${base}/${text(each)}`;
        if (name === null || among(name, each)) matches.push(place);
        if (item instanceof Folder) search(item, place, depth + 1);
      }
    };
    search(folder, str(path, "rstrip").replace(/\/+$/, ""), 0);
    return record({ matches });
  }

  #count(name: Py, mode: Py): Py {
    if (!among(mode, ["l", "w", "c"])) return error(`wc: invalid mode '${text(mode)}'`);
    this.#current.contents.has(name);
    const file = this.#fileIn(name);
    if (file === undefined) return error(`wc: ${text(name)}: No such file or directory`);
    if (mode === "l") return record({ count: BigInt(this.#lines(file).length), type: "lines" });
    if (mode === "w") return record({ count: BigInt(splitWords(str(file.content, "split")).length), type: "words" });
    return record({ count: BigInt(length(file.content)), type: "characters" });
  }

  #use(what: Py): Py {
    const walk = openWalk();
    const size = (item: Py, depth: number): number => {
      walk(depth);
      if (item instanceof File) return Buffer.byteLength(str(item.content, "encode"));
      return item instanceof Folder
        ? item.contents.values().reduce<number>((sum, each) => sum + size(each, depth + 1), 0)
        : 0;
    };
    let total = size(this.#current, 0);
    if (!truth(what)) return record({ disk_usage: `${total} bytes` });
    for (const unit of ["B", "KB", "MB", "GB", "TB"]) {
      if (total < 1024) return record({ disk_usage: `${twoDecimals(total)} ${unit}` });
      total /= 1024;
    }
    return record({ disk_usage: `${twoDecimals(total)} PB` });
  }

  #tail(name: Py, count: Py): Py {
    const file = this.#fileIn(name);
    if (file === undefined) return error(`tail: ${text(name)}: No such file or directory`);
    const lines = this.#lines(file);
    if (compare(count, ">", BigInt(lines.length))) return record({ last_lines: lines.join("\n") });
    const last = typeof count === "boolean" ? BigInt(count) : count;
    if (typeof last !== "bigint")
      return fail("TypeError", "slice indices must be integers or None or have an __index__ method");
    return record({ last_lines: lines.slice(Number(-last)).join("\n") });
  }

  #differ(first: Py, second: Py): Py {
    const [one, other] = [this.#fileIn(first), this.#current.contents.has(first) ? this.#fileIn(second) : undefined];
    if (one === undefined || other === undefined) {
      if (this.#current.contents.has(first)) this.#current.contents.has(second);
      return error(`diff: ${text(first)} or ${text(second)}: No such file or directory`);
    }
    const [left, right] = [this.#lines(one), this.#lines(other)];
    const pairs = left.flatMap((line, index) => {
      const beside = right[index];
      return beside === undefined || beside === line ? [] : [`- ${line}\n+ ${beside}`];
    });
    return record({ diff_lines: pairs.join("\n") });
  }

  #transfer(source: Py, destination: Py, what: "mv" | "cp"): Py {
    const { contents } = this.#current;
    const refused = `${what}: cannot ${what === "mv" ? "move" : "copy"} '${text(source)}'`;
    if (!contents.has(source)) return error(`${refused}: No such file or directory`);
    const item = contents.get(source)!;
    if (among("/", destination))
      return error(`${what}: path not allowed in destination. Provide only a file or directory name.`);
    const there = contents.get(destination);
    const done = what === "mv" ? "moved" : "copied";
    if (there === undefined) {
      if (what === "mv") contents.delete(source);
      put(this.#current, destination, item, what);
      return record({ result: `'${text(source)}' ${done} to '${text(destination)}'` });
    }
    if (!(there instanceof Folder)) return error(`${refused} to '${text(destination)}': Not a directory`);
    // A copy looks for a name that no item has, so that Python's own error is the result where one is there.
    if (there.contents.has(what === "mv" ? source : `${text(destination)}/${text(source)}`))
      return error(`${refused} to '${text(destination)}/${text(source)}': File exists`);
    if (what === "mv") contents.delete(source);
    put(there, source, item, what);
    return record({ result: `'${text(source)}' ${done} to '${text(destination)}/${text(source)}'` });
  }

  #remove(name: Py): Py {
    if (!this.#current.contents.has(name)) return error(`rm: cannot remove '${text(name)}': No such file or directory`);
    this.#current.contents.delete(name);
    return record({ result: `'${text(name)}' removed` });
  }

  #removeFolder(name: Py): Py {
    const refused = `rmdir: cannot remove '${text(name)}': `;
    if (!this.#current.contents.has(name)) return error(`${refused}No such file or directory`);
    const item = this.#current.contents.get(name)!;
    if (!(item instanceof Folder)) return error(`${refused}Not a directory`);
    if (item.contents.size > 0) return error(`${refused}Directory not empty`);
    this.#current.contents.delete(name);
    return record({ result: `'${text(name)}' removed` });
  }

  protected readonly methods: Readonly<Record<string, Method>> = {
    pwd: { takes: "", run: () => record({ current_working_directory: this.#path() }) },
    ls: {
      takes: "a",
      defaults: [false],
      run: (all = null) => {
        const names = this.#current.contents.keys();
        const shown = truth(all) ? names : names.filter((name) => !str(name, "startswith").startsWith("."));
        return record({ current_directory_content: shown });
      },
    },
    cd: { takes: "folder", run: (folder = null) => this.#change(folder) },
    mkdir: { takes: "dir_name", run: (name = null) => this.#make(name, "mkdir") },
    touch: { takes: "file_name", run: (name = null) => this.#make(name, "touch") },
    echo: {
      takes: "content file_name",
      defaults: [null],
      run: (content = null, name = null) => this.#echo(content, name),
    },
    cat: { takes: "file_name", run: (name = null) => this.#cat(name) },
    find: { takes: "path name", defaults: [".", null], run: (path = null, name = null) => this.#find(path, name) },
    wc: { takes: "file_name mode", defaults: ["l"], run: (name = null, mode = null) => this.#count(name, mode) },
    sort: {
      takes: "file_name",
      run: (name = null) => {
        const file = this.#fileIn(name);
        if (file === undefined) return error(`sort: ${text(name)}: No such file or directory`);
        return record({ sorted_content: this.#lines(file).toSorted(textOrder).join("\n") });
      },
    },
    grep: {
      takes: "file_name pattern",
      run: (name = null, pattern = null) => {
        const file = this.#fileIn(name);
        if (file === undefined) return error(`grep: ${text(name)}: No such file or directory`);
        return record({ matching_lines: this.#lines(file).filter((line) => among(pattern, line)) });
      },
    },
    du: { takes: "human_readable", defaults: [false], run: (readable = null) => this.#use(readable) },
    tail: { takes: "file_name lines", defaults: [10n], run: (name = null, count = null) => this.#tail(name, count) },
    diff: { takes: "file_name1 file_name2", run: (first = null, second = null) => this.#differ(first, second) },
    mv: { takes: "source destination", run: (source = null, to = null) => this.#transfer(source, to, "mv") },
    rm: { takes: "file_name", run: (name = null) => this.#remove(name) },
    rmdir: { takes: "dir_name", run: (name = null) => this.#removeFolder(name) },
    cp: { takes: "source destination", run: (source = null, to = null) => this.#transfer(source, to, "cp") },
  };
}

/** Puts an item into a folder: a new file of its content, or a new folder with its very contents, which a copy lists anew. */
function put(folder: Folder, name: Py, item: Py, what: "mv" | "cp"): void {
  if (item instanceof File) folder.addFile(name, item.content);
  else if (item instanceof Folder) {
    const made = folder.addFolder(name);
    made.contents = what === "mv" ? item.contents : item.contents.copy();
  }
}
