require "json"
require "openssl"
require "socket"

SECRET = ENV.fetch("ROLLCALL_SECRET").delete_prefix("whsec_").unpack1("m")

def signed?(headers, body)
  time = headers["webhook-timestamp"].to_i
  return false if (Time.now.to_i - time).abs > 300
  digest = OpenSSL::HMAC.digest("SHA256", SECRET, "#{headers["webhook-id"]}.#{time}.#{body}")
  expected = "v1," + [digest].pack("m0")
  headers["webhook-signature"].to_s.split.any? { |given| OpenSSL.secure_compare(given, expected) }
end

# In Rails: request.headers["webhook-id"] and request.raw_post.
server = TCPServer.new("127.0.0.1", ENV.fetch("PORT", 8000).to_i)
loop do
  client = server.accept
  client.gets
  headers = {}
  while (line = client.gets&.chomp) && !line.empty?
    name, value = line.split(": ", 2)
    headers[name.downcase] = value
  end
  body = client.read(headers["content-length"].to_i)
  if signed?(headers, body)
    message = JSON.parse(body)
    warn "#{message["number"]} #{message["type"]}" # store it, and ignore numbers that you have stored
    client.write "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
  else
    client.write "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
  end
  client.close
end
