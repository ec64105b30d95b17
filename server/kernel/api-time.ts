/** The documentation of a time in the API. @param meaning the sentence before its format */
export const timeMeta = (meaning = "", example: string | null = "2026-06-11T17:00:00+00:00") => ({
  description: `${meaning} ISO 8601, whole seconds, offset +00:00.`.trim(),
  examples: [example],
});
