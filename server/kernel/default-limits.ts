/** The default limits, in the syntax of the settings. The operators' guide and the manual show the same values. */
export const defaultLimits = {
  /** Requests of a key, by window. */
  single: "60/m,500/h,3000/d",
  /** Bulk requests of a key, counted separately. */
  bulk: "10/m,100/h,500/d",
  /** Test requests of a key, counted separately. */
  me: "120/m",
  /** Dashboard calls of a session, in each process. */
  session: "600/m",
  /** Page requests of an address, in each process. A sign-in or a call without a session counts as four. */
  address: "1200/m",
  /** Sign-ups of an address on sign-up pages. Its network may have 5 times as many, a newsletter 100 times. */
  signUp: "10/m,60/h,200/d",
  /** Failed authentications of an address. */
  authLockout: "20/10m for 10m",
  /** 4xx answers to a key. They lock its writes. */
  errorLockout: "100/10m for 1m",
} as const;

/** The largest request body, in bytes: 100 names of 255 emoji, written as escapes, take 311 kB. */
export const maxBodyBytes = 512 * 1024;

/** The largest request line with headers, in bytes: Node's limit. */
export const maxHeaderBytes = 16 * 1024;

/** Browsers send about 20 headers, and each proxy adds a few. */
export const maxHeaders = 200;
