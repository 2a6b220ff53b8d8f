/** `WEB`: its experiments are on web pages, and it has no flags that people see. */
export const projectTypes = ['FEATURE_FLAG', 'WEB'] as const

export type ProjectType = (typeof projectTypes)[number]
