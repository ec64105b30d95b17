// Uses only Node's modules and old syntax, so that an old Node can run it and report which version is needed.
const [major, minor] = process.versions.node.split(".").map(Number);
const newEnough = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
if (!newEnough) {
  console.error(
    `Rollcall needs Node 20.19, 22.12 or newer; this is ${process.version}. Nothing was changed.\n` +
      "Install Node 22 or 24 (https://nodejs.org, or: nvm install 24) and run the same command again.",
  );
  process.exit(1);
}
