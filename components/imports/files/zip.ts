import { unzipSync } from "fflate";

/** Lists the names and unpacked sizes of an archive's parts. Throws for a damaged archive. */
export function zipEntries(bytes: Uint8Array): { name: string; size: number }[] {
  const entries: { name: string; size: number }[] = [];
  unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      entries.push({ name, size: originalSize });
      return false;
    },
  });
  return entries;
}
