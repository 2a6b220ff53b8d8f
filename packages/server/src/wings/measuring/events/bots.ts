import { isbot } from 'isbot'

/** The headers of a request that show who sent it. */
export interface Sender {
  'user-agent'?: string | undefined
  origin?: string | undefined
  'sec-fetch-site'?: string | undefined
}

const maxAgentLength = 1_000

/** Whether a user agent is that of a crawler, a monitor or a program instead of a person’s browser. */
export const isBotAgent = (userAgent: string): boolean => isbot(userAgent.slice(0, maxAgentLength))

/**
 * Whether a request comes from a bot. A server sends the events of its visitors with the user agent of its HTTP library,
 * which says nothing about them. So libraries count as bots only if a page sent the request.
 */
export function isBotRequest(sender: Sender): boolean {
  const userAgent = sender['user-agent']
  if (userAgent === undefined || !isBotAgent(userAgent)) return false
  return isSentByPage(sender) || looksLikeVisitor.test(userAgent)
}

/** Browsers say from which page a request comes; programs need not. */
export const isSentByPage = (sender: Sender): boolean =>
  sender.origin !== undefined || sender['sec-fetch-site'] !== undefined

const looksLikeVisitor = /^Mozilla\/|bot\b|crawl|spider/i
