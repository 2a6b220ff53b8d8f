/** Why an attempt failed, in one sentence for people. `charged`: whether the endpoint is to blame. */
export class OutboundError extends Error {
  readonly charged: boolean

  constructor(sentence: string, { charged }: { charged: boolean }) {
    super(sentence)
    this.charged = charged
  }
}

export const theirs = (sentence: string): OutboundError => new OutboundError(sentence, { charged: true })
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

/** The sentence for an error of a socket, TLS or the HTTP parser. Their own words are never shown. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const { code = '', name } = error as { code?: string; name?: string }
  if (Object.hasOwn(sentences, code)) return theirs(sentences[code]!)
  if (name === 'HTTPParserError' || code.startsWith('UND_ERR_'))
    return theirs('The endpoint did not answer in valid HTTP')
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO')
    return theirs('No secure connection could be made with the endpoint')
  return theirs('The endpoint could not be called')
}
