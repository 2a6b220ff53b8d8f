/** The version of Svc. */
export const version = '0.1.0'
