export const isForPage = true
