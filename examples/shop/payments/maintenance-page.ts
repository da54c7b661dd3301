/** What people see while the database is being moved. */
export const maintenancePage = `<!doctype html>
<html lang="en">
  <head><title>Back soon</title></head>
  <body><h1>503 Service Temporarily Unavailable</h1><p>We are moving our database and are back in a few minutes.</p></body>
</html>
`;
