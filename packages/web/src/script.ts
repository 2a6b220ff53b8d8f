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

/**
 * The script of an environment: one classic script with engine and content, which leaves nothing but `svc` in the page.
 *
 * @param engine the text of `dist/engine.iife.js`, after those of the parts that the content needs; see `engineFor`
 * @param content of which data file and web document are JSON
 */
export function scriptOf(
  engine: string,
  { file, web, ...address }: Omit<Served, 'file' | 'web'> & { file: string; web: string },
): string {
  const content = `{${JSON.stringify(address).slice(1, -1)},"file":${file},"web":${web}}`
  // Without `<`, the script can also be written into a page.
  return `((svcContent,svcParts)=>{${engine.trim()}\n})(${content.replaceAll('<', '\\u003c')},[])\n`
}
