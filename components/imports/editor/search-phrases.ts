import { EditorState, type Extension } from "@codemirror/state";
import type { Texts } from "../../texts/texts";

/** Translates the editor's search panel. */
export const searchPhrases = (texts: Texts<"imports.editor">): Extension =>
  EditorState.phrases.of({
    Find: texts("search.find"),
    next: texts("search.next"),
    previous: texts("search.previous"),
    all: texts("search.all"),
    "match case": texts("search.matchCase"),
    regexp: texts("search.regexp"),
    "by word": texts("search.byWord"),
    Replace: texts("search.replaceField"),
    replace: texts("search.replace"),
    "replace all": texts("search.replaceAll"),
    close: texts("search.close"),
    "Go to line": texts("search.goToLine"),
    go: texts("search.go"),
    "current match": texts("search.currentMatch"),
    "on line": texts("search.onLine"),
    "replaced match on line $": texts("search.replacedOnLine"),
    "replaced $ matches": texts("search.replacedMatches"),
  });
