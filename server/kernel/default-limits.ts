/** The default limits, in the syntax of the settings. The operators' guide and the manual show the same values. */
export const defaultLimits = {
  /** Requests of a key that read, by window. A long poll is one. */
  read: "1200/m",
  /** Requests of a key that write, except bulk requests. */
  write: "600/m",
  /** Bulk requests of a key. */
  bulk: "60/m",
  /** Requests of a key for a stream of the whole list. */
  stream: "10/m",
  /** Test requests of a key. */
  me: "120/m",
  /** Dashboard calls of a session, in each process. */
  session: "600/m",
  /** Page requests of an address, in each process. A sign-in or a call without a session counts as four. */
  address: "1200/m",
  /** Sign-ups of an address on sign-up pages. Its network may have 5 times as many, a newsletter 100 times. */
  signUp: "10/m,60/h,200/d",
  /** Wrong keys from an address. */
  authLockout: "100/10m for 10m",
  /** Failed sign-ins from an address. */
  signInLockout: "20/10m for 10m",
  /** 4xx answers to a key. They lock its writes. */
  errorLockout: "off",
} as const;

/** The largest request body, in bytes: 100 names of 255 emoji, written as escapes, take 311 kB. */
export const maxBodyBytes = 512 * 1024;

/** The largest request line with headers, in bytes: Node's limit. */
export const maxHeaderBytes = 16 * 1024;

/** Browsers send about 20 headers, and each proxy adds a few. */
export const maxHeaders = 200;
