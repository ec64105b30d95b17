import { history, isolateHistory, redo, undo } from "@codemirror/commands";
import { EditorState, type TransactionSpec } from "@codemirror/state";
import { expect, it } from "vitest";
import { fileName, keepsFileName, setFileName } from "./file-name";

const list = "ada@x.org\ngrace@x.org\n";

/** An editor with the list, taken from a file. */
function openedFile() {
  let state = EditorState.create({ extensions: [history(), keepsFileName] });
  const dispatch = (spec: TransactionSpec) => {
    state = state.update(spec).state;
  };
  const replace = (what: string, insert: string, spec: TransactionSpec = {}) => {
    const from = state.doc.toString().indexOf(what);
    const changes = { from, to: from + what.length, insert };
    dispatch({ changes, annotations: isolateHistory.of("full"), ...spec });
  };
  replace("", list, { effects: setFileName.of("fair.csv") });
  const step = (command: typeof undo) => command({ state, dispatch: (one) => dispatch(one) });
  return { replace, step, name: () => state.field(fileName) };
}

it("keeps the file's name while lines change, and when a fix rewrites the only line", () => {
  const { replace, name } = openedFile();
  replace("grace@x.org", "grace@navy.mil\njoan@x.org");
  replace("ada@x.org\n", "");
  replace("grace@navy.mil\njoan@x.org\n", "grace@navy.com", { userEvent: "input.fix" });
  expect(name()).toBe("fair.csv");
});

it.each(["", "new@x.org"])(
  "drops the name when the text is replaced by “%s”, and undo restores it",
  (text) => {
    const { replace, step, name } = openedFile();
    replace(list, text);
    expect(name()).toBeNull();
    step(undo);
    expect(name()).toBe("fair.csv");
    step(redo);
    expect(name()).toBeNull();
  },
);

it("restores the previous file's name when another file is undone", () => {
  const { replace, step, name } = openedFile();
  replace(list, "joan@x.org", { effects: setFileName.of(`${"x".repeat(300)}.csv`) });
  expect(name()).toHaveLength(255);
  step(undo);
  expect(name()).toBe("fair.csv");
});
