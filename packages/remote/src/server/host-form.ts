const host = String.raw`(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?`;

/** A name, an IPv4 address or an IPv6 address in brackets, and a port, in small letters. No user name, no path. */
export const hostForm = new RegExp(`^${host}$`);

/** Scheme, host and port of an origin, in small letters. The origin `null` of files and sandboxes does not match. */
export const originForm = new RegExp(String.raw`^[a-z][a-z0-9+.-]*:\/\/${host}$`);
