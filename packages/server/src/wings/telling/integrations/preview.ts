import type { EventName } from '../../../catalogue/events.ts'
import type { Batch } from '../deliveries/index.ts'
import { type KindName, kinds, messageOf, type Template, withTemplate } from '../destinations/index.ts'
import type { Body, Outgoing, TicketKind } from '../tickets/index.ts'
import { type Config, hiding, textsToHide, withoutSecretHeaders } from './config.ts'
import { messageRequest } from './sending.ts'

export interface Previewed {
  kind: KindName
  config: Config
  secrets: Config
  template: Template | null
  body: Body
}

const none = '00000000-0000-4000-8000-000000000000'

/** What a destination would send for an event, without its secrets. */
export function previewOf({ kind, config, secrets, template, body }: Previewed, baseUrl: string, now: Date) {
  const message = withTemplate(messageOf(body, baseUrl), template, body)
  const eventType = body.event as EventName
  const outgoing = kind === 'EMAIL' ? mailAsRequest() : outgoingOf()
  const { inText, inJson } = hiding(textsToHide(secrets, outgoing?.headers))
  const { key: _key, at, ...said } = message
  return {
    event: eventType,
    message: { ...said, facts: [...said.facts], at: at.toISOString() },
    request: outgoing && {
      method: outgoing.method,
      url: inText(outgoing.url),
      headers: withoutSecretHeaders(outgoing.headers, secrets, inText),
      body: outgoing.body === null ? null : inJson(JSON.parse(outgoing.body)),
    },
  }

  function mailAsRequest(): Outgoing {
    const to = config.to as string[]
    const { subject, text } = kinds.EMAIL.mailOf({
      to: to[0]!,
      messages: [message],
      deliveryId: none,
      unsubscribeUrl: null,
      host: new URL(baseUrl).host,
    })
    const url = `mailto:${to.join(',')}`
    return { via: 'https', method: 'POST', url, headers: { subject }, body: JSON.stringify(text) }
  }

  function outgoingOf(): Outgoing | null {
    if ('mannerOf' in kinds[kind]) {
      const ticket = kinds[kind] as unknown as TicketKind<Config>
      if (!ticket.opens(message)) return null
      return ticket.requestOf({ config, message, eventType, step: { do: 'CREATE', key: message.key, mark: none } })
    }
    const delivery = { deliveryId: none, eventType } as Batch['deliveries'][number]
    const outgoing = messageRequest({ batch: { kind } as Batch, config, told: [{ delivery, body, message }] }, now)
    return typeof outgoing === 'string' ? null : outgoing
  }
}
