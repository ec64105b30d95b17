import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { useLocale } from "use-intl";
import type { Language } from "@/server/kernel/languages";
import { allTexts, loadAllTexts } from "../texts/catalogue";
import { AllTexts, type Screen, ScreenTexts } from "../texts/screen-texts";
import { hasUnsaved } from "./unsaved";

/** Pause before a script that could not be loaded is requested again. */
export const AGAIN_MS = 3_000;

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** Loads the parts of this page that the next action may need. */
const soon = new Set<() => unknown>();
/** A pointer has moved, or a key was pressed, since the browser loaded the page. */
let isUsed = false;

/** Loads something with the first movement or key on the page; at once, if that was before. */
export function loadSoon(load: () => unknown): void {
  if (isUsed) load();
  else soon.add(load);
}

/**
 * A component whose script loads when it first appears. React shows a suspended component, such as one of `dynamic`, 300 ms
 * later at the earliest. This one appears once its script is there.
 * @param isNear the script loads already with the first movement or key on the page
 * @param loading its placeholder
 * @param texts its screens, for a component that has only these texts; others wait for the texts of all screens
 */
export function onDemand<Props extends object>(
  load: Load<Props>,
  {
    isNear = false,
    loading = null,
    texts,
  }: { isNear?: boolean; loading?: ReactNode; texts?: readonly Screen[] } = {},
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null;
  const ready = async (language: Language) => {
    const [loaded] = await Promise.all([load(), texts ? null : loadAllTexts(language)]);
    Loaded = loaded.default;
  };
  const preload = () => ready(document.documentElement.lang as Language).catch(() => {});
  if (isNear) loadSoon(preload);
  return function OnDemand(props) {
    const [state, setState] = useState<{ failed?: unknown }>({});
    const language = useLocale();
    // As it is rendered now: by the time of the effect, the script may be there.
    const isReady = Loaded !== null && (texts !== undefined || allTexts(language) !== undefined);
    useEffect(() => {
      if (isReady) return;
      let again: ReturnType<typeof setTimeout>;
      const begin = () =>
        void ready(language).then(
          () => setState({}),
          (failed: unknown) => {
            // The error replaces the page, and typed text with it.
            if (hasUnsaved()) again = setTimeout(begin, AGAIN_MS);
            else setState({ failed });
          },
        );
      begin();
      return () => clearTimeout(again);
    }, [language, isReady]);
    if ("failed" in state) throw state.failed;
    if (!Loaded || !isReady) return loading;
    const loaded = <Loaded {...props} />;
    return texts ? <ScreenTexts of={texts}>{loaded}</ScreenTexts> : <AllTexts>{loaded}</AllTexts>;
  };
}

// A screen reader may send only the click, and dictation only the text.
const signs = ["pointermove", "pointerdown", "keydown", "click", "input"] as const;

/** Loads what is near once somebody uses the page. Until then, only the page itself loads. */
export function useNearParts(): void {
  useEffect(() => {
    const begun = new AbortController();
    const begin = () => {
      begun.abort();
      isUsed = true;
      for (const load of soon) load();
      soon.clear();
    };
    for (const sign of signs) window.addEventListener(sign, begin, { signal: begun.signal });
    return () => begun.abort();
  }, []);
}
