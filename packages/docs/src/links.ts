import { posix } from 'node:path'

/** The target of a link in a guide: an address, a file that only the repository has, or a fault in the guide. */
export type Target = { href: string } | { onlyInRepository: true } | { fault: string }

export interface Places {
  /** Address by path of the source, such as `docs/sdk.md`. */
  addresses: ReadonlyMap<string, string>
  /** Whether the repository has a file or folder with this path. */
  exists: (path: string) => boolean
}

/** The address of the service in the guides. A link to it becomes a link to the service that shows the page. */
const local = 'http://127.0.0.1:4000'

/** @param source path of the file that holds the link, from the root of the repository */
export function resolveLink(link: string, source: string, { addresses, exists }: Places): Target {
  if (link.startsWith(`${local}/`)) return { href: link.slice(local.length) }
  if (/^[a-z][a-z0-9+.-]*:/i.test(link) || link.startsWith('/') || link.startsWith('#')) return { href: link }
  const [, file = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(link) ?? []
  const path = posix.join(posix.dirname(source), decodeURI(file)).replace(/\/$/, '')
  const address = addresses.get(path)
  if (address !== undefined) return { href: `${address}${anchor}` }
  return exists(path) ? { onlyInRepository: true } : { fault: `links to ${path}, which does not exist` }
}

/** Links to missing pages and headings. Links to other sites are not checked. */
export function deadLinks(pages: ReadonlyMap<string, string>): string[] {
  const names = new Map([...pages].map(([address, html]) => [address, namesIn(html)]))
  const dead = [...pages].flatMap(([address, html]) =>
    [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].flatMap(([, link = '']) => {
      const [, to = '', name] = /^([^#?]*)(?:#(.*))?$/.exec(link) ?? []
      const target = to === '' ? address : to
      if (!/^\/docs(?:\/|$)/.test(target)) return []
      const found = names.get(target)
      if (!found) return [`${address} links to ${target}, which is not a page`]
      return name === undefined || found.has(name)
        ? []
        : [`${address} links to #${name}, which ${target} does not have`]
    }),
  )
  return [...new Set(dead)]
}

const namesIn = (html: string): Set<string> => new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))
