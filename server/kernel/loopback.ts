/** Names of this machine itself, as a URL or HOST has them. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;
