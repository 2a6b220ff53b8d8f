import { randomBytes } from 'node:crypto'

const units = 100_000
const idBytes = 10

/** Bodies with exposures whose ids are new, as the SDK makes them: UUIDs of version 7. */
export function batches({ sdkKey, ruleId }: { sdkKey: string; ruleId: string }, size: number): () => string {
  let number = 0
  return () => {
    const now = Date.now()
    const time = now.toString(16).padStart(12, '0')
    const ts = new Date(now).toISOString()
    const random = randomBytes(size * idBytes).toString('hex')
    let events = ''
    for (let place = 0; place < size; place += 1) {
      const digits = random.slice(place * 2 * idBytes, (place + 1) * 2 * idBytes)
      const id = `${time.slice(0, 8)}-${time.slice(8)}-7${digits.slice(0, 3)}-a${digits.slice(3, 6)}-${digits.slice(6, 18)}`
      number += 1
      const variationKey = number % 2 ? 'on' : 'off'
      events += `${place ? ',' : ''}{"id":"${id}","ts":"${ts}","type":"exposure","unit":"visitor-${number % units}","flagKey":"measured","ruleId":"${ruleId}","variationKey":"${variationKey}","reason":"SPLIT","context":{"country":"NL","device":"mobile"}}`
    }
    return `{"sdkKey":"${sdkKey}","events":[${events}]}`
  }
}
