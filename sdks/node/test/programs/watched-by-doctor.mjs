// A program for the doctor: started with the client's path and options, it runs until it is ended.
const { init, credentialHeaders, captureMessage } = await import(process.env.WHENCE_SDK);
const { names = [], ...options } = JSON.parse(process.env.DOCTOR_OPTIONS);
init({
  apiKey: "whk_test",
  endpoint: process.env.WHENCE_ENDPOINT,
  ...options,
  redact: [...(options.preset ? credentialHeaders : []), ...names],
});
captureMessage("started", { attributes: { userToken: "t0k3n", size: 3, author: "me" } });
setInterval(() => undefined, 1_000);
