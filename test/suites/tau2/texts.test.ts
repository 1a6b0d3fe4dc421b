/** Texts extracted from Python files, which are parsed and never executed. */
import { expect, it } from "vitest";
import { classTexts, constantText, toolTexts } from "../../../suites/tau2/data/python-texts.ts";

const source = `
RULES = """
Be kind.
Be brief.
""".strip()

class Day(Base):
    """A day."""

    date: str = Field(description="As 2024-05-20")
    left: Optional[int] = Field(
        None,
        description="Seats left.",
    )
    plain: int

    def more(self) -> str:
        """Not a field: description="none"."""

class Tools(Kit):
    @is_tool(ToolType.WRITE)
    def book(self, day: Day, seats: List[str]) -> str:
        """
        Books seats.

        Ask first.
        Then book.

        Args:
            day: The day: one that
                has seats.
            seats (list): The seats.

        Returns:
            A sentence.
        """
        return "no"

    # @is_tool(ToolType.READ)
    def hidden(self) -> str:
        """Not a tool."""

    @is_tool(ToolType.READ)
    def look(self) -> str:
        """Looks around."""
`;

it("descriptions of tools and arguments are extracted, and functions that are not tools are skipped", () => {
  const texts = toolTexts(source);
  expect(texts.get("book")).toEqual({
    description: "Books seats.\n\nAsk first.\nThen book.",
    arguments: { day: "The day: one that\nhas seats.", seats: "The seats." },
  });
  expect(texts.get("look")).toEqual({ description: "Looks around.", arguments: {} });
});

it("constants and class fields are extracted from the source text", () => {
  expect(constantText(source, "RULES")).toBe("Be kind.\nBe brief.");
  expect(constantText(source, "OTHER")).toBeUndefined();
  expect(classTexts(source, "Day")).toEqual({
    description: "A day.",
    arguments: { date: "As 2024-05-20", left: "Seats left." },
  });
  expect(classTexts(source, "Night")).toBeUndefined();
});

it("a long file with an unterminated text is parsed in linear time", () => {
  const endless = `    @is_tool(\n    def a(${'"""'.repeat(3)}${"x".repeat(200_000)}`;
  expect(toolTexts(endless.repeat(5)).size).toBe(0);
});
