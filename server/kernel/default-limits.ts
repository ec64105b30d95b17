/** What holds when the settings say nothing, as the settings write it; the guide's table and the manual show the same. */
export const defaultLimits = {
  /** Requests of a key, by window. */
  single: "60/m,500/h,3000/d",
  /** Bulk requests of a key, which are counted apart. */
  bulk: "10/m,100/h,500/d",
  /** Tests of a key, which are counted apart too. */
  me: "120/m",
  /** Calls of a session to the dashboard's procedures, in each process. */
  session: "600/m",
  /** Pages of one address, in each process; a sign-in or a stranger's call counts as four. */
  address: "1200/m",
  /** Sign-ups of one address on sign-up pages; its network has 5 times as many, a newsletter 100 times. */
  signUp: "10/m,60/h,200/d",
  /** Failed authentications of one address. */
  authLockout: "20/10m for 10m",
  /** 4xx answers to one key; they lock its writes. */
  errorLockout: "100/10m for 1m",
} as const;

/** The largest body of a request that is read, in bytes: 100 names of 255 emoji, written as escapes, take 311 kB. */
export const maxBodyBytes = 512 * 1024;

/** The request line and the headers together, in bytes: Node's own limit. */
export const maxHeaderBytes = 16 * 1024;

/** Browsers send some 20 headers, and each proxy in front a few more. */
export const maxHeaders = 200;
