// Runs `npm start` and the other scripts, before any package is installed.
import "./launch/node-version.mjs";

const { launch } = await import("./launch/commands.mjs");
await launch(process.argv[2], process.argv.slice(3));
