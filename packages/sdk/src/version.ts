/** The version of this package, sent with each heartbeat. A test compares it with package.json. */
export const sdkVersion = '0.1.0'
