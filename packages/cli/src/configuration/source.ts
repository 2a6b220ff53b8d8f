import { basename } from 'node:path'

const maxLength = 200

/**
 * What svc apply calls a file where it stages something. The next run of the file finds by it what an interrupted run
 * has left. A file is its name, because it can be mended in between, and another folder holds it on another machine.
 */
export const sourceOf = (file: string): string => `svc apply ${encodeURI(basename(file))}`.slice(0, maxLength)
