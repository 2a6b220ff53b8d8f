import type { EventName } from '../../../catalogue/events.ts'
import {
  type Batch,
  type Body,
  type KindName,
  kinds,
  messageOf,
  type Outgoing,
  type Template,
  type TicketKind,
  withTemplate,
} from '../destinations/index.ts'
import { type Config, textsToHide, withoutSecrets } from './config.ts'
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
  const hidden = textsToHide(secrets, outgoing?.headers)
  const shown = (text: string) => withoutSecrets(text, hidden)
  const { key: _key, at, ...said } = message
  return {
    event: eventType,
    message: { ...said, facts: [...said.facts], at: at.toISOString() },
    request: outgoing && {
      method: outgoing.method,
      url: shown(outgoing.url),
      headers: Object.fromEntries(Object.entries(outgoing.headers).map(([name, value]) => [name, shown(value)])),
      body: outgoing.body === null ? null : (JSON.parse(shown(outgoing.body)) as unknown),
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
