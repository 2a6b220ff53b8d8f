/** Whether this is a script for pages, which prefers few bytes to speed. Such scripts have `for-page.page.ts` here. */
export const isForPage: boolean = false
