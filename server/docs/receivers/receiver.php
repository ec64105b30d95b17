<?php // php -S 127.0.0.1:8000 receiver.php
$secret = base64_decode(substr(getenv("ROLLCALL_SECRET"), strlen("whsec_")));
$body = file_get_contents("php://input");
$id = $_SERVER["HTTP_WEBHOOK_ID"] ?? "";
$time = $_SERVER["HTTP_WEBHOOK_TIMESTAMP"] ?? "0";
$expected = "v1," . base64_encode(hash_hmac("sha256", "$id.$time.$body", $secret, true));
$signed = false;
foreach (explode(" ", $_SERVER["HTTP_WEBHOOK_SIGNATURE"] ?? "") as $given) {
    $signed = $signed || hash_equals($expected, $given);
}
if (!$signed || abs(time() - (int) $time) > 300) {
    http_response_code(401);
    exit;
}
$message = json_decode($body, true);
error_log($message["number"] . " " . $message["type"]); // store it, and ignore numbers that you have stored
http_response_code(204);
