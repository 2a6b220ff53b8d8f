import { unitsOf } from '../../tests.ts'
import type { Part } from '../part.ts'

/** Tells what visitors do for each unit by which experiments draw, besides the id of the visitor. */
const units: Part = ({ api, file, track: tell, contextNow }) => {
  const { track } = api
  api.track = (eventKey, options) => {
    track(eventKey, options)
    const context = contextNow()
    // Of who takes no part, nothing is told.
    if (context.targetingKey)
      for (const name of unitsOf(file)) {
        const targetingKey = (valueIn(context, name) ?? '') as string
        if (targetingKey !== '') tell(eventKey, { ...options, context: { targetingKey } })
      }
  }
  return (all) => all
}

/** As rules read it; of what they do not read, such as items of lists, it tells too much, which counts nowhere. */
const valueIn = (context: Record<string, unknown>, name: string): unknown =>
  context[name] ??
  name.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], context)

svcParts.push(units)
