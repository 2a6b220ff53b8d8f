/** Why an attempt failed, in one sentence for people. */
export class OutboundError extends Error {
  /** Whether the endpoint is to blame. */
  readonly charged: boolean
  /** Whether the same attempt would fail again, unless somebody changes something. */
  readonly isLasting: boolean

  constructor(sentence: string, { charged, isLasting = false }: { charged: boolean; isLasting?: boolean }) {
    super(sentence)
    this.charged = charged
    this.isLasting = isLasting
  }
}

export const theirs = (sentence: string): OutboundError => new OutboundError(sentence, { charged: true })
/** What our own rules refuse, a certificate says, or a broken server answers. */
export const refused = (sentence: string): OutboundError =>
  new OutboundError(sentence, { charged: true, isLasting: true })
export const notTheirs = (sentence: string): OutboundError => new OutboundError(sentence, { charged: false })

export const closedEarly = 'The endpoint closed the connection without an answer'

const sentences: Record<string, string> = {
  ECONNREFUSED: 'The endpoint refused the connection',
  ECONNRESET: closedEarly,
  EPIPE: closedEarly,
  UND_ERR_SOCKET: closedEarly,
  ETIMEDOUT: 'The endpoint cannot be reached',
  ENETUNREACH: 'The endpoint cannot be reached',
  EHOSTUNREACH: 'The endpoint cannot be reached',
  EADDRNOTAVAIL: 'The endpoint cannot be reached',
  CERT_HAS_EXPIRED: 'The certificate of the endpoint has expired',
  CERT_NOT_YET_VALID: 'The certificate of the endpoint is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the endpoint is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the endpoint is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the endpoint is not from a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the endpoint is not from a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT: 'The certificate of the endpoint is not from a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate of the endpoint is not from a trusted authority',
  CERT_REVOKED: 'The certificate of the endpoint has been revoked',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The endpoint does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'The endpoint does not speak TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'The endpoint does not speak TLS 1.2 or newer',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'The endpoint does not speak TLS 1.2 or newer',
  UND_ERR_HEADERS_OVERFLOW: 'The endpoint answered with more than 16 KB of headers',
  HPE_HEADER_OVERFLOW: 'The endpoint answered with more than 16 KB of headers',
}

/** What can be better at the next attempt. */
const passing = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
])

/** The sentence for an error of a socket, TLS or the HTTP parser. Their own words are never shown. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const { code = '', name } = error as { code?: string; name?: string }
  if (Object.hasOwn(sentences, code)) return (passing.has(code) ? theirs : refused)(sentences[code]!)
  if (name === 'HTTPParserError' || code.startsWith('UND_ERR_'))
    return refused('The endpoint did not answer in valid HTTP')
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO')
    return refused('No secure connection could be made with the endpoint')
  return theirs('The endpoint could not be called')
}
