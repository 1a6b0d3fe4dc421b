import type { SessionCell } from "../../engine/workbench/workbench.ts";

/**
 * The cell a form was opened for, as long as its text is what it was then: another program may have changed the notebook meanwhile,
 * and ids are places in it. Undefined where the cell is gone, or says something else now.
 */
export function cellAsOpened(cells: readonly SessionCell[], opened: SessionCell): SessionCell | undefined {
  const isSame = ({ kind, name, source }: SessionCell) =>
    kind === opened.kind && name === opened.name && source === opened.source;
  return cells.find((cell) => cell.id === opened.id && isSame(cell)) ?? cells.find(isSame);
}
