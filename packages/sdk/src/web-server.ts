import type { Client } from './client.ts'
import { type Connection, connectionOf } from './connection.ts'
import { moreDimensions } from './visitors/more-dimensions.ts'
import { type Consent, consentOf, type TakenExperiment } from './web/decide.ts'
import { dimensionNames, factsOf, newnessOf } from './web/facts.ts'
import { followWeb } from './web/follow.ts'
import { inlineElement, inlineText } from './web/inline.ts'
import { createKeeping } from './web/keeping.ts'
import { createKept, keptCookie, keptIn } from './web/kept.ts'
import { newVisitorId, visitorCookie, visitorCookieSeconds, visitorIdOf } from './web/visitor-id.ts'

export type { Consent, TakenExperiment } from './web/decide.ts'

/** A visitor of the site, by the cookies `svc_id` and `svc_kept`. */
export interface WebVisitor {
  /** The targeting key. */
  id: string
  /** The request has no id yet. */
  isNew: boolean
  /**
   * The value of a header `Set-Cookie`: it keeps the id for a year, or deletes it after a refusal. Null while there is
   * nothing to keep or to delete, and before the first web document: then the script in the page gives the id.
   */
  setCookie: string | null
  /** The variations that the visitor keeps in sticky experiments, as the cookie `svc_kept` has them. */
  kept: string
}

/** A request for a page. */
export interface WebRequest {
  /** The absolute address that the browser shows, without its hash. */
  url: string | URL
  /** From {@link WebServer.visitor}. */
  visitor: Pick<WebVisitor, 'id' | 'isNew'> & Partial<Pick<WebVisitor, 'kept'>>
  /** What conditions can read besides the page, such as `{ plan: 'pro' }`. Give `inline` the same. */
  attributes?: object
  /** The header `Referer`, for the attribute `page.referrer`. */
  referrer?: string | null | undefined
  /** The header `User-Agent`. The service leaves out exposures of bots by it. Conditions do not see it. */
  userAgent?: string | null | undefined
  /** Default: true, or `PENDING` if the project requires consent. */
  consent?: Consent | undefined
}

/** What the visitor gets on the page. */
export interface WebVisit {
  /** Where the visitor takes part. Render these variations yourself, or leave it to the script. */
  experiments: TakenExperiment[]
  /** Where to send the visitor with a 302, or null. */
  redirect: string | null
  /**
   * The value of a further header `Set-Cookie`, so that the visitor keeps the variations of sticky experiments; after a
   * refusal, it deletes them. Null if there is nothing new to keep and nothing to delete.
   */
  setCookie: string | null
}

/** What the script in the page hears before it decides. */
export interface ScriptOptions {
  /** Tells the script that the visitor is new, which the cookie of this response hides from it. */
  visitor?: Pick<WebVisitor, 'isNew'>
  /** Attributes that the script cannot know. Every visitor can read them in the page. */
  attributes?: object
}

/** The options of {@link WebServer.inline}. */
export interface InlineOptions extends ScriptOptions {
  /** The nonce of the Content Security Policy of this response. */
  nonce?: string | null | undefined
}

/** Web experiments on a server or at the edge. No method throws. */
export interface WebServer {
  /**
   * Resolves to true as soon as there are a data file, a web document and a script; to false after `timeoutMs` (default
   * 10,000), after `client.close()`, or if the client is offline. After a wait in vain, further ones answer at once until
   * the service has answered; at the edge, they wait for each new attempt. Never rejects.
   */
  waitUntilReady(options?: { timeoutMs?: number }): Promise<boolean>
  /** The visitor that the header `Cookie` names, or a new one. Without consent, no id is kept. */
  visitor(cookies: string | null | undefined, options?: { consent?: Consent | undefined }): WebVisitor
  /**
   * Decides as the script in the page does. Counts visitors of experiments with a redirect, in every arm alike; the script
   * counts those of the others. Without consent, and before everything is loaded, no visitor takes part.
   */
  decide(request: WebRequest): WebVisit
  /**
   * The `<script>` element with engine and content, so that the page loads no script. It belongs first into `<head>`. Empty
   * before the first script. Without `visitor` and `attributes`, all visitors can share the page.
   */
  inline(options?: InlineOptions): string
  /** The text of that element, for frameworks that make the element themselves. */
  script(options?: ScriptOptions): string
}

/**
 * Follows the web experiments of the environment of a client. It asks the service every 30 s, and at once when the client
 * has a new revision. If that fails, the last good content stays, the client fires `error`, and its logger is called for
 * the first of several consecutive failures. It ends with `client.close()`.
 *
 * @throws TypeError if the client is not one of this package
 * @example
 * const web = createWeb({ client })
 * const visitor = web.visitor(request.headers.cookie)
 * const { experiments, redirect } = web.decide({ url: `https://shop.example${request.url}`, visitor })
 */
export function createWeb({ client }: { client: Client }): WebServer {
  const lent = connectionOf(client)
  if (!lent) throw new TypeError('createWeb: client must come from createClient of @svc/sdk')
  const { settings } = lent
  /** A wait has ended without content. Each request would wait as long, so only a new attempt at the edge is waited for. */
  let isDown = false
  const files = followWeb(client, lent)
  /** At the edge, each call sees to it that the content stays new. */
  const content = () => {
    void files.catchUp()
    return files.content()
  }
  const decide = createDecide(client, lent, content)
  const script = (options?: ScriptOptions): string => {
    const { visitor, attributes } = options ?? {}
    void files.catchUp()
    const text = files.script()
    try {
      return text ? inlineText(text, { ...(visitor?.isNew && newnessOf(true)), ...attributes }) : ''
    } catch (fault) {
      settings.warn('the script needs attributes that can be written as JSON', fault)
      return ''
    }
  }
  return {
    async waitUntilReady(wait) {
      const timeoutMs = isDown && !files.catchUp() ? 0 : wait?.timeoutMs
      const ready = await Promise.all([
        client.waitUntilReady(timeoutMs === undefined ? {} : { timeoutMs }),
        files.waitUntilReady(timeoutMs),
      ])
      isDown = !ready.every(Boolean)
      return !isDown
    },
    visitor(cookies, options) {
      const known = visitorIdOf(String(cookies ?? ''))
      const kept = keptIn(String(cookies ?? ''))
      const id = known ?? newVisitorId(crypto)
      const web = content()?.web
      const isNew = known === undefined
      const given = web && consentOf(web, options?.consent)
      const isTold = given === true || (given === false && !isNew)
      const setCookie = web && isTold ? cookieOf(visitorCookie, given ? id : '', web.settings.cookieDomain) : null
      return { id, isNew, setCookie, kept }
    },
    decide(request) {
      try {
        return decide(request)
      } catch (fault) {
        settings.warn('decide needs an absolute url and a visitor', fault)
        return { experiments: [], redirect: null, setCookie: null }
      }
    },
    inline(options) {
      const text = script(options)
      return text && inlineElement(text, options?.nonce)
    },
    script,
  }
}

/** Decides requests with what their visitors keep in sticky experiments. */
function createDecide(client: Client, lent: Connection, content: ReturnType<typeof followWeb>['content']) {
  const names = [...dimensionNames, 'userAgent']
  const evaluateKept = createKeeping(lent)
  return (request: WebRequest): WebVisit => {
    const { visitor, attributes, consent, userAgent } = request
    const address = String(request.url)
    const facts = factsOf({ address, referrer: request.referrer ?? '', isNew: visitor.isNew })
    const context = { ...facts, ...attributes, targetingKey: visitor.id }
    const held = content()
    const kept = createKept(visitor.kept ?? '', client.dataFile?.environment.id ?? '')
    const before = kept.text()
    const decided = held?.decide({ address, context, isNew: visitor.isNew, consent }, (key) => {
      const file = client.dataFile
      if (!file || !Object.hasOwn(file.flags, key)) return undefined
      const found = client.peekDetails(key, '', context)
      return found.reason === 'SPLIT' ? (evaluateKept(file, key, context, kept) ?? found) : found
    })
    for (const { key, found } of decided?.counted ?? [])
      lent.expose(key, found, { ...context, userAgent, [moreDimensions]: names })
    const given = held && consentOf(held.web, consent)
    const isTold = given === true ? kept.text() !== before : given === false && !!visitor.kept
    return {
      ...{ experiments: decided?.experiments ?? [], redirect: decided?.redirect ?? null },
      setCookie: held && isTold ? cookieOf(keptCookie, given ? kept.text() : '', held.web.settings.cookieDomain) : null,
    }
  }
}

/** Scripts read it, so it is not `HttpOnly`. An empty value deletes it. */
const cookieOf = (name: string, value: string, domain: string | null): string =>
  `${name}=${value}; Path=/; Max-Age=${value ? visitorCookieSeconds : 0}; Secure; SameSite=Lax${domain === null ? '' : `; Domain=${domain}`}`
