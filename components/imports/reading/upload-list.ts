import type { TRPCClient } from "@trpc/client";
import { maxPartRows } from "@/server/imports/list-parser/list-types";
import type { ImportPlan } from "@/server/imports/schema/imports";
import type { AppRouter } from "@/server/trpc/router";
import type { Inputs } from "../../trpc";
import { outageOf } from "../../ui/error-of";

type ImportCalls = Pick<TRPCClient<AppRouter>["imports"], "begin" | "upload" | "plan">;
type Head = Inputs["imports"]["begin"]["head"];
type Lines = Pick<Inputs["imports"]["upload"], "rows" | "rejected">;

/** Maximum JSON characters of a part: rows can be long, and a request is limited to 4 MB. */
const largestPart = 800_000;

/** A part is sent again after an outage. A repeated part changes nothing. */
const retries = { most: 4, pauseMs: 1_500 };

/** Splits a list into parts of one call each. */
function cutParts({ rows, rejected }: Lines): Lines[] {
  const parts: Lines[] = [];
  let size = largestPart;
  const add = <Key extends keyof Lines>(key: Key, line: Lines[Key][number]) => {
    size += JSON.stringify(line).length;
    let last = parts.at(-1);
    if (!last || size > largestPart || last[key].length === maxPartRows) {
      last = { rows: [], rejected: [] };
      parts.push(last);
      size = JSON.stringify(line).length;
    }
    (last[key] as (typeof line)[]).push(line);
  };
  for (const row of rows) add("rows", row);
  for (const line of rejected) add("rejected", line);
  return parts;
}

/** The upload of one list. After an error, `plan` sends the parts that the server has not acknowledged. */
export class ListUpload {
  readonly #head: Head;
  readonly #parts: Lines[];
  #importId: string | null = null;
  #sent = 0;

  constructor(
    private readonly imports: ImportCalls,
    private readonly place: { newsletterId: string; replaces?: string },
    { rows, rejected, ...head }: Head & Lines,
    private readonly pauseMs = retries.pauseMs,
  ) {
    this.#head = head;
    this.#parts = cutParts({ rows, rejected });
  }

  async #untilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    for (let failures = 0; ; failures++) {
      try {
        return await call();
      } catch (error) {
        if (failures === retries.most || outageOf(error) === null) throw error;
        await new Promise((resolve) => setTimeout(resolve, this.pauseMs));
      }
    }
  }

  /** @param onShare receives the uploaded share, from 0 to 1 */
  async plan(onShare: (share: number) => void = () => {}): Promise<ImportPlan> {
    const { newsletterId } = this.place;
    this.#importId ??= (await this.imports.begin.mutate({ ...this.place, head: this.#head })).importId;
    const importId = this.#importId;
    for (; this.#sent < this.#parts.length; this.#sent++) {
      onShare(this.#sent / this.#parts.length);
      const part = this.#parts[this.#sent] as Lines;
      const input = { newsletterId, importId, part: this.#sent, ...part };
      await this.#untilAnswered(() => this.imports.upload.mutate(input));
    }
    onShare(1);
    return this.#untilAnswered(() => this.imports.plan.mutate({ newsletterId, importId }));
  }
}
