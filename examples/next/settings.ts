/** Both are public: a page contains them. */
export const settings = () => ({
  baseUrl: process.env.SVC_URL ?? 'http://127.0.0.1:4000',
  sdkKey: process.env.SVC_SDK_KEY ?? 'sdk_…',
})
