import type { Catalogue } from "../en";
import api from "./api.json";
import app from "./app.json";
import bulkActions from "./bulkActions.json";
import imports from "./imports.json";
import mails from "./mails.json";
import overview from "./overview.json";
import people from "./people.json";
import segments from "./segments.json";
import sentences from "./server.json";
import settings from "./settings.json";
import shell from "./shell.json";
import signIn from "./signIn.json";
import suppressions from "./suppressions.json";
import ui from "./ui.json";
import webhooks from "./webhooks.json";

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
