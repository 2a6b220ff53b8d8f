/** The version of this package, sent with each heartbeat; a test holds it to package.json. */
export const sdkVersion = '0.1.0'
