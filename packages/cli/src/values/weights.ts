import { usage } from '../problem.ts'
import { pairOf } from './option-values.ts'

/** An event and how much it counts, such as `product_viewed=1`. */
export function weightOf(text: string): [event: string, weight: number] {
  const [event, weight] = pairOf(text, '--action')
  const number = Number(weight)
  if (weight === '' || !Number.isFinite(number)) throw usage(`--action: ${weight} is not a number.`)
  return [event, number]
}
