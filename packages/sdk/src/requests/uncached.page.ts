/** As in `uncached.ts`: pages have a cache of their own, which revalidates. */
export const uncached: RequestInit = {}
