import { useMay } from '../../../shell/session.ts'

/** What leads to the review is called: who cannot publish can still look at what waits. */
export const useReviewWords = (): string => (useMay('projects:write') ? 'Review and publish' : 'Review')
