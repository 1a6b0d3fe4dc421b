/** Reads an answer key. */
import { checkedRecord } from "../../../source/engine/text/checked-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { goldRecord, type Gold } from "./records.ts";

/** Reads the answer key in `value`, ignoring other fields. Throws `DataProblem` with the invalid part. */
export const readGold = (value: Json | undefined, where: string | (() => string)): Gold =>
  goldRecord.safeParse(value).data ?? checkedRecord(goldRecord, value, where);
