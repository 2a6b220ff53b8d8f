import { basename } from 'node:path'

const maxLength = 200

/**
 * The source that svc apply gives to its staged changes. The next run of the file uses it to find what an interrupted
 * run has left. Only the name of the file counts: its content can be corrected in between, and its folder can differ
 * on another machine.
 */
export const sourceOf = (file: string): string => `svc apply ${encodeURI(basename(file))}`.slice(0, maxLength)
