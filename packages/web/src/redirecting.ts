import type { ServedExperiment } from './document.ts'

/** Whether a variation of the experiment sends its visitors to another address. */
export const isRedirecting = ({ variations }: ServedExperiment): boolean =>
  Object.values(variations).some(({ redirect }) => redirect !== null)
