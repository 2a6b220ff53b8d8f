import { useMay } from '../../../shell/session.ts'

/** The words of links to the review: people who cannot publish can still read it. */
export const useReviewWords = (): string => (useMay('projects:write') ? 'Review and publish' : 'Review')
