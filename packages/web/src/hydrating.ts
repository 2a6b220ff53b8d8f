import type { ServedChange, ServedExperiment } from './document.ts'

const rendered: ServedChange['type'][] = ['TEXT', 'HTML', 'IMAGE', 'INSERT', 'MOVE']

/** Whether a framework that takes over the HTML of its server would miss what it expects. */
export const waitsForFramework = ({ type }: Pick<ServedChange, 'type'>): boolean => rendered.includes(type)

/** Whether changes or code of the experiment can have to wait. */
export const isWaiting = ({ applyAt, variations }: ServedExperiment): boolean =>
  applyAt !== 'EARLY' &&
  Object.values(variations).some(
    ({ changes, code }) => changes.some(waitsForFramework) || (applyAt === 'HYDRATED' && code !== null),
  )
