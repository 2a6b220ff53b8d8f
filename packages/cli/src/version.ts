import manifest from '../package.json' with { type: 'json' }

/** The version of the command line, which is that of the service it was made with. */
export const { version } = manifest
