import { benchList } from "/tmp/res/bench/list";

await benchList((l) => console.log(l));
process.exit(0);
