import { createTranslator, type NamespaceKeys, type NestedKeyOf } from "use-intl/core";
import type { Catalogue } from "../catalogue";
import * as messages from "../en";

/** English texts of a screen, for tests of functions that take them: `textsInEnglish("ui.time")`. */
export const textsInEnglish = <const Screen extends NamespaceKeys<Catalogue, NestedKeyOf<Catalogue>>>(
  namespace: Screen,
) => createTranslator({ locale: "en", messages, namespace });
