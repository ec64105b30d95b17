import { history, isolateHistory, redo, undo } from "@codemirror/commands";
import { EditorState, type TransactionSpec } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { fileNameOf, fileSpans, setFileSpans } from "./file-spans";

class Doc {
  state = EditorState.create({ extensions: [history(), fileSpans] });

  dispatch(spec: TransactionSpec): void {
    this.state = this.state.update(spec).state;
  }
  take(files: Record<string, string>): void {
    let insert = "";
    const spans = Object.entries(files).map(([name, text]) => {
      const from = insert.length;
      insert += text;
      return { name, from, to: insert.length };
    });
    const changes = { from: 0, to: this.state.doc.length, insert };
    this.dispatch({ changes, effects: setFileSpans.of(spans), annotations: isolateHistory.of("full") });
  }
  replace(what: string, insert: string, userEvent = "input"): void {
    const from = this.state.doc.toString().indexOf(what);
    const changes = { from, to: from + what.length, insert };
    this.dispatch({ changes, userEvent, annotations: isolateHistory.of("full") });
  }
  undo(): void {
    undo({ state: this.state, dispatch: (transaction) => this.dispatch(transaction) });
  }
  redo(): void {
    redo({ state: this.state, dispatch: (transaction) => this.dispatch(transaction) });
  }
  get name(): string | null {
    return fileNameOf(this.state);
  }
}

const list = "ada@x.org\ngrace@x.org\nalan@x.org\n";

describe("the name of a file", () => {
  it("stays while lines are corrected, added and removed", () => {
    const doc = new Doc();
    doc.take({ "fair.csv": list });
    doc.replace("grace@x.org", "grace@navy.mil");
    doc.replace("ada@x.org\n", "");
    doc.replace("alan", "joan@x.org\nalan");
    expect(doc.name).toBe("fair.csv");
  });

  it("stays when its only line is fixed", () => {
    const doc = new Doc();
    doc.take({ "fair.csv": "ada@gmial.com" });
    doc.replace("ada@gmial.com", "ada@gmail.com", "input.fix");
    expect(doc.name).toBe("fair.csv");
  });

  it("goes with its lines, in whatever way they go", () => {
    const ways: ((doc: Doc) => void)[] = [
      (doc) => doc.replace(list, ""),
      (doc) => doc.replace(list, "new@x.org"),
      // All but the last line break, as a selection by lines leaves it.
      (doc) => doc.replace(list.trimEnd(), "new@x.org\nnewer@x.org"),
      // The new list above or below, then the old one is deleted.
      (doc) => {
        doc.replace("ada", "new@x.org\nada");
        doc.replace(list, "");
      },
      (doc) => {
        doc.dispatch({ changes: { from: list.length, insert: "new@x.org\nnewer@x.org" } });
        doc.replace(list, "");
      },
      // The new list in the middle of the old one.
      (doc) => {
        doc.replace("grace@x.org", "new@x.org\nnewer@x.org");
        doc.replace("ada@x.org", "");
        doc.replace("alan@x.org", "");
      },
      // Line by line.
      (doc) => {
        for (const line of list.trim().split("\n")) doc.replace(`${line}\n`, "");
      },
    ];
    for (const way of ways) {
      const doc = new Doc();
      doc.take({ "fair.csv": list });
      way(doc);
      expect(doc.name, doc.state.doc.toString()).toBeNull();
    }
  });

  it("goes when only the titles of its table are left", () => {
    const doc = new Doc();
    doc.take({ "fair.csv": `Email,Name\n${list}` });
    doc.replace(list, "new@y.org\nnewer@y.org");
    expect(doc.name).toBeNull();
  });

  it("comes back with its lines when their removal is undone, and goes again when redone", () => {
    const doc = new Doc();
    doc.take({ "fair.csv": list });
    doc.replace(list, "");
    doc.undo();
    expect(doc.name).toBe("fair.csv");
    doc.redo();
    expect(doc.name).toBeNull();
  });

  it("of another file takes its place, and undo brings the former back", () => {
    const doc = new Doc();
    doc.take({ "fair.csv": list });
    doc.take({ "shop.csv": "joan@x.org" });
    expect(doc.name).toBe("shop.csv");
    doc.undo();
    expect(doc.name).toBe("fair.csv");
  });

  it("of several names those whose lines are there", () => {
    const doc = new Doc();
    doc.take({ "a.csv": "ada@x.org\n", "b.csv": "grace@x.org\n", "c.csv": "alan@x.org\n" });
    expect(doc.name).toBe("a.csv, b.csv, c.csv");
    doc.replace("grace@x.org\n", "");
    expect(doc.name).toBe("a.csv, c.csv");
  });

  it("fits where it is stored", () => {
    const doc = new Doc();
    doc.take(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`members-${i}.csv`, `r${i}@x.org\n`])));
    expect(doc.name).toMatch(/^members-0\.csv, members-1\.csv, .* and \d+ more$/);
    expect(doc.name?.length).toBeLessThanOrEqual(255);
  });
});
