import type { ReactNode } from "react";
import { ChoiceList } from "../input/choice-list.tsx";
import type { ListRequest } from "./notebook-context.ts";

type Asked = {
  readonly asking: ListRequest;
  readonly columns: number;
  readonly height: number;
  readonly close: () => void;
};

/** The list that was asked for; it is closed before its answer is given, which may ask for another. */
export function AskedChoice({ asking, columns, height, close }: Asked): ReactNode {
  return (
    <ChoiceList
      {...asking}
      columns={columns}
      height={height}
      back={close}
      take={([value]) => {
        close();
        if (value !== undefined) asking.answer(value);
      }}
    />
  );
}
