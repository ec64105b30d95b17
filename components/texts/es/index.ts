import type { Catalogue } from "../en";
import api from "./api.json" with { type: "json" };
import app from "./app.json" with { type: "json" };
import bulkActions from "./bulkActions.json" with { type: "json" };
import imports from "./imports.json" with { type: "json" };
import mails from "./mails.json" with { type: "json" };
import overview from "./overview.json" with { type: "json" };
import people from "./people.json" with { type: "json" };
import segments from "./segments.json" with { type: "json" };
import sentences from "./server.json" with { type: "json" };
import settings from "./settings.json" with { type: "json" };
import shell from "./shell.json" with { type: "json" };
import signIn from "./signIn.json" with { type: "json" };
import suppressions from "./suppressions.json" with { type: "json" };
import ui from "./ui.json" with { type: "json" };
import webhooks from "./webhooks.json" with { type: "json" };

const catalogue: Catalogue = {
  api,
  app,
  bulkActions,
  imports,
  mails,
  overview,
  people,
  segments,
  settings,
  shell,
  signIn,
  suppressions,
  ui,
  webhooks,
};

export default catalogue;
export { sentences };
