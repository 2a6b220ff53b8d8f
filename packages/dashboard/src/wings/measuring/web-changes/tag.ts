/** The tag of an environment's pages. The service is where the dashboard is. */
export const tagOf = (sdkKey: string): string =>
  `<script src="${location.origin}/sdk/v1/web/${sdkKey}.js" crossorigin></script>`
