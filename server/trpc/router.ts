import { keysRouter, requestsRouter } from "../api-keys/router";
import { bulkActionsRouter } from "../bulk-actions/router";
import { webhooksRouter } from "../events/router";
import { importsRouter } from "../imports/router";
import { mailingsRouter, mailsRouter } from "../mail-log/router";
import { newslettersRouter } from "../newsletters/router";
import { signUpPageRouter } from "../sign-up/router";
import { accountRouter, ownRouter, sessionsRouter } from "../staff/router";
import { fieldsRouter, peopleRouter, segmentsRouter, tagsRouter } from "../subscribers/router";
import { suppressionsRouter } from "../suppressions/router";
import { router } from "./base";

export const appRouter = router({
  people: peopleRouter,
  bulkActions: bulkActionsRouter,
  fields: fieldsRouter,
  tags: tagsRouter,
  segments: segmentsRouter,
  imports: importsRouter,
  keys: keysRouter,
  requests: requestsRouter,
  suppressions: suppressionsRouter,
  mails: mailsRouter,
  mailings: mailingsRouter,
  newsletters: newslettersRouter,
  signUpPage: signUpPageRouter,
  webhooks: webhooksRouter,
  account: accountRouter,
  sessions: sessionsRouter,
  own: ownRouter,
});

export type AppRouter = typeof appRouter;
