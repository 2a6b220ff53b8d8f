import type { DataFile } from '@svc/core'
import type { WebDocument } from './document.ts'

/** All that the engine needs of an environment. */
export interface Served {
  /** The address of the service, without a slash at its end. */
  baseUrl: string
  sdkKey: string
  file: DataFile
  web: WebDocument
}

/** The code of a variation. The web document has its place among all codes. */
export interface ServedCode {
  js: string
  /** Names this text in what the script tells of its errors. */
  version: string
}

/** What the script hands over to the part that runs code. */
export type CodeTable = [
  /** Made where the table begins: it has the file and the line. */
  stack: string | undefined,
  /** The first and the last line of each code, counted from that line. */
  ...functions: [first: number, last: number, version: string, run: (svc: never) => unknown][],
]

/**
 * The script of an environment: one classic script with engine and content, which leaves nothing but `svc` in the page.
 *
 * @param engine the text of `dist/engine.iife.js`, after those of the parts that the content needs; see `engineFor`
 * @param content of which data file and web document are JSON, and code is the body of functions
 */
export function scriptOf(
  engine: string,
  {
    file,
    web,
    code = [],
    ...address
  }: Omit<Served, 'file' | 'web'> & { file: string; web: string; code?: readonly ServedCode[] },
): string {
  const content = `{${JSON.stringify(address).slice(1, -1)},"file":${file},"web":${web}}`
  const [name, table] = code.length > 0 ? [',svcCode', `,${codeTable(code)}`] : ['', '']
  // Without `<`, the script can also be written into a page.
  return `((svcContent,svcParts${name})=>{${engine.trim()}\n})(${content.replaceAll('<', '\\u003c')},[]${table})\n`
}

/** Those of JavaScript. */
const lineEnds = /\r\n|[\n\r\u2028\u2029]/

/** Each code is a function of its own, outside of the engine, and begins on a line of its own. */
function codeTable(code: readonly ServedCode[]): string {
  let line = 0
  const functions = code.map(({ js, version }) => {
    const first = line + 2
    // With the line end that follows it: together with a last `\r`, it is one.
    const last = first + `${js}\n`.split(lineEnds).length - 2
    line = last + 1
    return `\n,[${first},${last},${JSON.stringify(version)},function(svc){\n${js}\n}]`
  })
  return `[Error().stack${functions.join('')}]`
}
