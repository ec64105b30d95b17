import { type ComponentType, type ReactNode, useEffect, useState } from "react";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** Loads the parts of this page that the next action may need. */
const soon = new Set<() => unknown>();
/** A pointer has moved, or a key was pressed, since the browser loaded the page. */
let isUsed = false;

/**
 * A component whose script loads when it first appears. React shows a suspended component, such as one of `dynamic`, 300 ms
 * later at the earliest. This one appears once its script is there.
 * @param isNear the script loads already with the first movement or key on the page
 * @param loading its placeholder
 */
export function onDemand<Props extends object>(
  load: Load<Props>,
  { isNear = false, loading = null }: { isNear?: boolean; loading?: ReactNode } = {},
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null;
  const ready = async () => {
    Loaded = (await load()).default;
  };
  const preload = () => ready().catch(() => {});
  if (isNear && isUsed) void preload();
  else if (isNear) soon.add(preload);
  return function OnDemand(props) {
    const [state, setState] = useState<{ failed?: unknown }>({});
    useEffect(() => {
      if (Loaded) return;
      ready().then(
        () => setState({}),
        (failed: unknown) => setState({ failed }),
      );
    }, []);
    if ("failed" in state) throw state.failed;
    return Loaded ? <Loaded {...props} /> : loading;
  };
}

const signs = ["pointermove", "pointerdown", "keydown"] as const;

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
